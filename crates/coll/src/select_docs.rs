//! What the algorithms say of themselves: the comment above the function that is named like the
//! algorithm. One text serves the reader of the source, the generated page and `dunlin-info`. The
//! library itself has no use for it, and the linker leaves it out.

/// Source texts, by operation.
const SOURCES: &[(&str, &str)] = &[
    ("allgather", include_str!("allgather.rs")),
    ("allgatherv", include_str!("allgatherv.rs")),
    ("allreduce", include_str!("allreduce.rs")),
    ("alltoall", include_str!("alltoall.rs")),
    ("alltoallv", include_str!("alltoallv.rs")),
    ("barrier", include_str!("barrier.rs")),
    ("bcast", include_str!("bcast.rs")),
    ("exscan", include_str!("exscan.rs")),
    ("gather", include_str!("gather.rs")),
    ("gatherv", include_str!("gatherv.rs")),
    ("reduce", include_str!("reduce.rs")),
    ("reduce_scatter", include_str!("reduce_scatter.rs")),
    ("reduce_scatter_block", include_str!("reduce_scatter.rs")),
    ("scan", include_str!("scan.rs")),
    ("scatter", include_str!("scatter.rs")),
    ("scatterv", include_str!("scatterv.rs")),
];

/// What the algorithm is and costs, as one paragraph; `None` if there is no such algorithm.
pub fn about(operation: &str, algorithm: &str) -> Option<String> {
    let (_, source) = SOURCES.iter().find(|(name, _)| *name == operation)?;
    comment_above(source, &format!("async fn {algorithm}<"))
}

/// The first sentence of [`about`].
pub fn summary(operation: &str, algorithm: &str) -> Option<String> {
    let text = about(operation, algorithm)?;
    let end = text.find(". ").map_or(text.len(), |stop| stop + 1);
    Some(text[..end].to_string())
}

fn comment_above(source: &str, function: &str) -> Option<String> {
    let (before, _) = source.split_once(function)?;
    // The last line is the beginning of the function's own.
    let above = before.lines().rev().skip(1);
    let mut lines: Vec<&str> = above
        .skip_while(|line| line.trim_start().starts_with("#["))
        .map_while(|line| line.trim_start().strip_prefix("///"))
        .map(str::trim)
        .collect();
    lines.reverse();
    let text = lines.join(" ").replace("[`", "`").replace("`]", "`");
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Listed, OPERATIONS, Visitor, visit};

    struct Undocumented;

    impl Visitor for Undocumented {
        type Out = Vec<String>;

        fn visit<A: Listed>(self) -> Vec<String> {
            let names = A::ALL.iter().map(|algorithm| algorithm.name());
            let silent = names.filter(|name| about(A::OPERATION, name).is_none());
            silent.map(|name| format!("{} by {name}", A::OPERATION)).collect()
        }
    }

    #[test]
    fn every_algorithm_of_every_operation_says_what_it_is() {
        let silent: Vec<String> =
            OPERATIONS.iter().flat_map(|name| visit(name, Undocumented).unwrap()).collect();
        assert!(silent.is_empty(), "functions without a comment: {silent:?}");
    }

    #[test]
    fn the_comment_is_read_to_its_end_and_its_first_sentence_alone() {
        let source = "/// Not this.\nfn a() {}\n\n/// One: two.\n/// Three of [`a`].\n#[inline]\n\
                      pub async fn b<C>() {}\n";
        assert_eq!(comment_above(source, "async fn b<").unwrap(), "One: two. Three of `a`.");
        assert!(comment_above(source, "async fn c<").is_none());
        let first = summary("allreduce", "recursive_doubling").unwrap();
        assert!(first.starts_with("Recursive doubling:") && first.ends_with("away."), "{first}");
    }
}
