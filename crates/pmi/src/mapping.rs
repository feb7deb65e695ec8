//! The text by which PMI says which rank runs on which node, `PMI_process_mapping`:
//!
//! ```text
//! (vector,(first node,nodes,ranks on each),...)
//! ```
//!
//! Ranks are numbered through the blocks; blocks begin again from the first when ranks are left.
//! Newer launchers also write a node alone for one rank on it, and `[blocks]xN` for blocks that
//! come N times.

/// The most ranks a text is believed to describe.
const RANKS_MAX: usize = 1 << 24;

/// The node of each of `ranks` ranks, or what is wrong with the text.
pub fn parse(text: &str, ranks: usize) -> Result<Vec<u32>, String> {
    let wrong = |what: &str| format!("the process mapping `{text}` {what}");
    if ranks > RANKS_MAX {
        return Err(format!("{ranks} ranks; the limit is {RANKS_MAX}"));
    }
    let mut reader = Reader { rest: text, ranks };
    let nodes = reader.mapping().ok_or_else(|| wrong("is not what PMI calls a vector"))?;
    if nodes.is_empty() && ranks > 0 {
        return Err(wrong("describes no ranks"));
    }
    Ok(nodes.iter().copied().cycle().take(ranks).collect())
}

/// Reads from the front of a text; blanks do not count.
struct Reader<'a> {
    rest: &'a str,
    /// No more than these are of interest.
    ranks: usize,
}

impl Reader<'_> {
    fn word(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(word)?;
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..end].parse().ok()?;
        self.rest = &rest[end..];
        Some(number)
    }

    fn mapping(&mut self) -> Option<Vec<u32>> {
        self.word("(")?;
        self.word("vector")?;
        let mut nodes = Vec::new();
        while self.word(",").is_some() {
            match self.word("[") {
                Some(()) => self.repeated(&mut nodes)?,
                None => self.block(&mut nodes)?,
            }
        }
        self.word(")")?;
        self.rest.trim_matches(['\0', ' ', '\n']).is_empty().then_some(nodes)
    }

    /// `N` or `(first node,nodes,ranks on each)`.
    fn block(&mut self, nodes: &mut Vec<u32>) -> Option<()> {
        if self.word("(").is_none() {
            nodes.push(self.number()?);
            return Some(());
        }
        let first = self.number()?;
        self.word(",")?;
        let count = self.number()?;
        self.word(",")?;
        let each = self.number()? as usize;
        self.word(")")?;
        let all = (first..first.checked_add(count)?).flat_map(|n| std::iter::repeat_n(n, each));
        let room = self.ranks.saturating_sub(nodes.len());
        if each > 0 {
            nodes.extend(all.take(room));
        }
        Some(())
    }

    /// `blocks]xN`, after the `[`.
    fn repeated(&mut self, nodes: &mut Vec<u32>) -> Option<()> {
        let mut once = Vec::new();
        self.block(&mut once)?;
        while self.word(",").is_some() {
            self.block(&mut once)?;
        }
        self.word("]")?;
        self.word("x")?;
        let all = once.len().saturating_mul(self.number()? as usize);
        let room = self.ranks.saturating_sub(nodes.len());
        nodes.extend(once.iter().cycle().take(all.min(room)));
        Some(())
    }
}

/// The text for ranks on these nodes, with one block for each run of equal counts.
pub fn format(nodes: &[u32]) -> String {
    let mut blocks: Vec<Block> = Vec::new();
    for run in nodes.chunk_by(|a, b| a == b) {
        let (node, each) = (run[0], run.len() as u32);
        match blocks.last_mut() {
            Some(b) if b.each == each && b.first + b.nodes == node => b.nodes += 1,
            _ => blocks.push(Block { first: node, nodes: 1, each }),
        }
    }
    let blocks: Vec<String> =
        blocks.iter().map(|b| format!(",({},{},{})", b.first, b.nodes, b.each)).collect();
    format!("(vector{})", blocks.concat())
}

/// The text for ranks on these nodes, if it takes `longest` bytes at most. Ranks that are dealt out
/// in turn need one round alone, because the blocks begin again.
pub fn format_within(nodes: &[u32], longest: usize) -> Option<String> {
    let all = format(nodes);
    if all.len() <= longest {
        return Some(all);
    }
    let is_round =
        |len: &usize| nodes[*len..].iter().zip(nodes).all(|(again, first)| again == first);
    let round = (1..nodes.len()).find(is_round)?;
    Some(format(&nodes[..round])).filter(|text| text.len() <= longest)
}

/// Nodes in a row with equally many ranks.
struct Block {
    first: u32,
    nodes: u32,
    each: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_are_numbered_through() {
        assert_eq!(parse("(vector,(0,2,2))", 4).unwrap(), [0, 0, 1, 1]);
        assert_eq!(parse("(vector,(0,1,3),(1,1,1))", 4).unwrap(), [0, 0, 0, 1]);
        assert_eq!(parse(" (vector, (0,3,1)) ", 3).unwrap(), [0, 1, 2]);
    }

    #[test]
    fn short_forms_are_understood() {
        assert_eq!(parse("(vector,0)", 1).unwrap(), [0]);
        assert_eq!(parse("(vector,3,(0,1,2))", 3).unwrap(), [3, 0, 0]);
        assert_eq!(parse("(vector,[0,1]x2,(5,1,1))", 5).unwrap(), [0, 1, 0, 1, 5]);
        assert_eq!(parse("(vector,[(0,2,2)]x4000000000)", 6).unwrap(), [0, 0, 1, 1, 0, 0]);
    }

    #[test]
    fn ranks_that_are_left_go_round_again() {
        assert_eq!(parse("(vector,(0,2,1))", 5).unwrap(), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn what_is_no_mapping_is_named() {
        for text in [
            "",
            "vector",
            "(vector)",
            "(vector,(0,0,4))",
            "(vector,(0,1))",
            "(x,(0,1,1))",
            "(vector,(0,1,1)",
            "(vector,(a,1,1))",
            "(vector(0,1,1))",
        ] {
            assert!(parse(text, 2).unwrap_err().contains(text), "{text}");
        }
    }

    #[test]
    fn absurd_numbers_cost_nothing() {
        let error = parse("(vector,(0,2,2))", RANKS_MAX + 1).unwrap_err();
        assert!(error.contains("16777217 ranks; the limit is 16777216"), "{error}");
        assert!(parse("(vector,(0,1,1))", usize::MAX).is_err());
        let most = u32::MAX;
        assert_eq!(parse(&format!("(vector,(0,{most},{most}))"), 2).unwrap(), [0, 0]);
        assert_eq!(parse(&format!("(vector,(7,1,{most}),(0,{most},1))"), 3).unwrap(), [7, 7, 7]);
        assert!(parse("(vector,(0,99999999999999999999,1))", 2).is_err());
    }

    #[test]
    fn rounds_are_written_once_where_all_of_them_are_too_long() {
        let nodes: Vec<u32> = (0..1000).map(|rank| rank % 3).collect();
        assert_eq!(format_within(&nodes, 1024).unwrap(), "(vector,(0,3,1))");
        assert_eq!(format_within(&[0, 1, 0], 1024).unwrap(), "(vector,(0,2,1),(0,1,1))");
        let odd: Vec<u32> = (0..1000).map(|rank| rank * rank % 7).collect();
        assert_eq!(format_within(&odd[..500], 20), None);
    }

    proptest! {
        #[test]
        fn what_was_formatted_is_parsed(nodes in prop::collection::vec(0u32..5, 1..40)) {
            prop_assert_eq!(parse(&format(&nodes), nodes.len()).unwrap(), nodes);
        }

        #[test]
        fn what_fits_is_parsed(
            round in prop::collection::vec(0u32..5, 1..9),
            ranks in 1usize..60,
        ) {
            let nodes: Vec<u32> = round.iter().copied().cycle().take(ranks).collect();
            if let Some(text) = format_within(&nodes, 40) {
                prop_assert!(text.len() <= 40);
                prop_assert_eq!(parse(&text, ranks).unwrap(), nodes);
            }
        }

        #[test]
        fn no_text_breaks_it(text in "\\(vector[(),0-9x\\[\\] ]{0,30}", ranks in 0usize..1000) {
            let _ = parse(&text, ranks);
        }
    }
}
