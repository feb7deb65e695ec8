//! The tables of `tables/`: what is in them, and when they are asked.

use dunlin_coll::select::{CallTraits, Origin, Params};
use dunlin_coll::selection::{OPERATIONS, Selection, Verdict};
use dunlin_coll::shipped::table;
use dunlin_coll::table::TableText;

/// The names of the files in `tables/`.
fn names() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables");
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter_map(|name| name.strip_suffix(".toml").map(str::to_string)).collect()
}

#[test]
fn every_file_is_part_of_the_library_and_can_be_read() {
    assert!(names().len() >= 15, "{:?}", names());
    for name in names() {
        assert!(table(&name).is_some(), "shipped.rs lacks tables/{name}.toml");
        Selection::on_machine("", None, Some(&name)).unwrap();
    }
}

/// Which rule decides for an allreduce or another operation, by its origin.
fn decides(selection: &Selection, operation: &str, params: &Params) -> Origin {
    let told = selection.explain(operation, params).unwrap();
    told.iter().find(|rule| rule.verdict == Verdict::Decides).unwrap().origin
}

#[test]
fn a_shipped_table_comes_after_the_users_and_before_the_built_in_rules() {
    let on_nodes = |(nodes, each)| CallTraits::plain(each * nodes).on_nodes(nodes);
    let shared = |traits| CallTraits { cico: true, single_copy: true, ..traits };
    let layouts = [(2, 1), (16, 1), (64, 1), (4, 8), (64, 8), (2, 64), (16, 64)];
    let shapes = layouts.map(|layout| shared(on_nodes(layout)));
    let sizes = |shape| (0..20).map(move |power| Params { shape, bytes_per_rank: 8 << power });
    let params: Vec<Params> = shapes.into_iter().flat_map(sizes).collect();
    let selection = Selection::on_machine("", None, Some("hpc7g")).unwrap();
    let is_shipped = |selection: &Selection, operation, params: &Params| {
        matches!(decides(selection, operation, params), Origin::Machine { .. })
    };
    for operation in ["allreduce", "bcast", "reduce"] {
        let here = params.iter().find(|params| is_shipped(&selection, operation, params));
        let here = here.unwrap_or_else(|| panic!("hpc7g has a rule of {operation}"));
        let text = format!("[[{operation}]]\nalgorithm = 'two_level'\n");
        let user = Some(TableText { name: "t.toml", text: &text });
        let both = Selection::on_machine("", user, Some("hpc7g")).unwrap();
        assert_eq!(decides(&both, operation, here), Origin::Table { line: 1 });
    }
}

#[test]
fn where_no_table_is_shipped_the_built_in_rules_alone_decide() {
    for machine in [None, Some("epyc-2core"), Some("not there")] {
        let selection = Selection::on_machine("", None, machine).unwrap();
        for operation in OPERATIONS {
            let params = Params { shape: CallTraits::plain(8), bytes_per_rank: 8 };
            let told = selection.explain(operation, &params).unwrap();
            assert!(told.iter().all(|rule| rule.origin == Origin::BuiltIn), "{machine:?}");
        }
    }
}

#[test]
fn shipped_rules_are_for_ranks_with_cores_of_their_own() {
    for machine in names() {
        let selection = Selection::on_machine("", None, Some(&machine)).unwrap();
        let params = Params { shape: CallTraits::plain(2), bytes_per_rank: 8 };
        for operation in OPERATIONS {
            for rule in selection.explain(operation, &params).unwrap() {
                let is_shipped = matches!(rule.origin, Origin::Machine { .. });
                let wanted = if is_shipped { Some(false) } else { rule.when.oversubscribed };
                assert_eq!(rule.when.oversubscribed, wanted, "{machine} {operation}");
            }
        }
    }
}
