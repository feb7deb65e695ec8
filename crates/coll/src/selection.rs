//! The rules of all operations together, as one process uses them. The first that fits decides;
//! where they come from is in `sources.rs`.

use crate::select::{AlgorithmSet, Origin, Params, Rule, When, first_fit};
use std::cell::Cell;

/// Work to be done for an operation that is known by its name only.
pub trait Visitor {
    /// Its result.
    type Out;
    /// Does it for the operation of `A`.
    fn visit<A: Listed>(self) -> Self::Out;
}

/// An operation that has a table in a [`Selection`].
pub trait Listed: AlgorithmSet {
    /// The rules in force.
    fn rules(selection: &Selection) -> &Vec<Rule<Self>>;
    /// The same, to be changed.
    fn rules_mut(selection: &mut Selection) -> &mut Vec<Rule<Self>>;
    /// What was chosen last, and for what.
    fn last(choices: &LastChoices) -> &Cell<Option<(Asked, Self)>>;
}

macro_rules! operations {
    ($($operation:ident),*) => {
        /// The rules in force, for every operation.
        #[derive(Clone, Debug)]
        pub struct Selection {
            $($operation: Vec<Rule<crate::$operation::Algorithm>>,)*
        }

        /// What one communicator has chosen last for each operation. Programs repeat themselves,
        /// and a walk through a table takes a tenth of the time of a small operation.
        #[derive(Debug, Default)]
        pub struct LastChoices {
            $($operation: Cell<Option<(Asked, crate::$operation::Algorithm)>>,)*
        }

        /// Every operation that has a table, in alphabetical order.
        pub const OPERATIONS: &[&str] =
            &[$(<crate::$operation::Algorithm as AlgorithmSet>::OPERATION),*];

        $(impl Listed for crate::$operation::Algorithm {
            #[inline]
            fn rules(selection: &Selection) -> &Vec<Rule<Self>> {
                &selection.$operation
            }

            fn rules_mut(selection: &mut Selection) -> &mut Vec<Rule<Self>> {
                &mut selection.$operation
            }

            #[inline]
            fn last(choices: &LastChoices) -> &Cell<Option<(Asked, Self)>> {
                &choices.$operation
            }
        })*

        impl Selection {
            /// Without any.
            pub(crate) fn empty() -> Selection {
                Selection { $($operation: Vec::new(),)* }
            }

            /// Adds the rules of a table that is shipped.
            pub(crate) fn add_shipped(&mut self, table: &Selection) {
                $(self.$operation.extend(table.$operation.iter().map(Rule::as_shipped));)*
            }

            /// Adds the built-in rules.
            pub(crate) fn add_built_in(&mut self) {
                $(self.$operation.extend_from_slice(crate::$operation::Algorithm::TABLE);)*
            }
        }

        /// Sends `visitor` to the operation called `operation`, if there is one.
        pub fn visit<V: Visitor>(operation: &str, visitor: V) -> Option<V::Out> {
            $(if operation == <crate::$operation::Algorithm as AlgorithmSet>::OPERATION {
                return Some(visitor.visit::<crate::$operation::Algorithm>());
            })*
            None
        }
    };
}

operations!(
    allgather,
    allgatherv,
    allreduce,
    alltoall,
    alltoallv,
    barrier,
    bcast,
    exscan,
    gather,
    gatherv,
    reduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    scatter,
    scatterv
);

impl Selection {
    /// The algorithm for a call. All ranks must ask with the same parameters.
    #[inline]
    pub fn choose<A: Listed>(&self, params: &Params) -> A {
        // Some built-in rule fits every call: a test checks this.
        first_fit(A::rules(self), params).unwrap_or(A::ALL[0])
    }

    /// What each rule of `operation` says about a call, in the order in which they are tried;
    /// `None` if there is no such operation.
    pub fn explain(&self, operation: &str, params: &Params) -> Option<Vec<Considered>> {
        visit(operation, Explain { selection: self, params })
    }
}

/// What the choices of one communicator depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// As in [`Params`].
    pub bytes_per_rank: usize,
    /// Bytes that any rank publishes at most.
    pub published: usize,
    /// Whether operands may be swapped.
    pub commutative: bool,
}

impl LastChoices {
    /// The algorithm for a call: that of the last call of the same operation if it asked the same,
    /// else what `choose` says.
    #[inline]
    pub fn get<A: Listed>(&self, asked: Asked, choose: impl FnOnce() -> A) -> A {
        let last = A::last(self);
        match last.get() {
            Some((before, algorithm)) if before == asked => algorithm,
            _ => {
                let algorithm = choose();
                last.set(Some((asked, algorithm)));
                algorithm
            }
        }
    }
}

/// A rule that was tried for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Considered {
    /// Name of its algorithm.
    pub algorithm: &'static str,
    /// The number the algorithm takes, with its name.
    pub parameter: Option<(&'static str, usize)>,
    /// The calls it is for.
    pub when: When,
    /// Who wrote it.
    pub origin: Origin,
    /// Its number among the rules of the same origin, from 1.
    pub place: usize,
    /// What it says.
    pub verdict: Verdict,
}

/// What a rule says about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It decides.
    Decides,
    /// It would decide if an earlier rule had not.
    Later,
    /// It covers the call, but its algorithm would give a wrong result.
    Unfit,
    /// It does not cover the call.
    NotCovered,
}

struct Explain<'a> {
    selection: &'a Selection,
    params: &'a Params,
}

impl Visitor for Explain<'_> {
    type Out = Vec<Considered>;

    fn visit<A: Listed>(self) -> Vec<Considered> {
        let mut decided = false;
        let mut considered: Vec<Considered> = Vec::new();
        for rule in A::rules(self.selection) {
            let verdict = match () {
                () if !rule.when.covers(self.params) => Verdict::NotCovered,
                () if !rule.algorithm.fits(&self.params.shape) => Verdict::Unfit,
                () if decided => Verdict::Later,
                () => Verdict::Decides,
            };
            decided |= verdict == Verdict::Decides;
            let same = |other: &&Considered| kind(other.origin) == kind(rule.origin);
            let place = 1 + considered.iter().filter(same).count();
            considered.push(Considered {
                algorithm: rule.algorithm.name(),
                parameter: rule.algorithm.parameter(),
                when: rule.when,
                origin: rule.origin,
                place,
                verdict,
            });
        }
        considered
    }
}

fn kind(origin: Origin) -> std::mem::Discriminant<Origin> {
    std::mem::discriminant(&origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::CallTraits;
    use crate::table::TableText;
    use crate::{allreduce, bcast};

    fn params(ranks: usize, bytes_per_rank: usize) -> Params {
        Params { shape: CallTraits::plain(ranks), bytes_per_rank }
    }

    fn bcast_of(selection: &Selection, ranks: usize) -> bcast::Algorithm {
        selection.choose(&params(ranks, 8))
    }

    fn table(text: &str) -> Option<TableText<'_>> {
        Some(TableText { name: "t.toml", text })
    }

    #[test]
    fn without_settings_the_built_in_tables_decide() {
        let selection = Selection::default();
        for bytes in [0, 4096, 1 << 20] {
            let chosen: allreduce::Algorithm = selection.choose(&params(8, bytes));
            assert_eq!(chosen, allreduce::Algorithm::choose(&params(8, bytes)));
        }
    }

    #[test]
    fn the_users_rules_come_before_the_built_in_ones_and_the_setting_before_both() {
        let text = "[[bcast]]\nranks_max = 4\nalgorithm = 'scatter_allgather'\n";
        let selection = Selection::new("", table(text)).unwrap();
        assert_eq!(bcast_of(&selection, 4), bcast::Algorithm::ScatterAllgather);
        assert_eq!(bcast_of(&selection, 5), bcast::Algorithm::Binomial);
        let forced = Selection::new("bcast=pipelined_chain:512", table(text)).unwrap();
        let chain = bcast::Algorithm::PipelinedChain { segment: 512 };
        assert_eq!(bcast_of(&forced, 4), chain);
        assert_eq!(bcast_of(&forced, 5), chain);
    }

    #[test]
    fn an_algorithm_that_does_not_fit_the_call_falls_through_to_the_next_rule() {
        let text = "[[allreduce]]\nalgorithm = 'reduce_bcast'\n";
        let selection = Selection::new("allreduce=ring", table(text)).unwrap();
        let swapped = params(4, 8);
        let ordered = Params { shape: CallTraits::reduction(4, false), ..swapped };
        assert_eq!(selection.choose::<allreduce::Algorithm>(&swapped), allreduce::Algorithm::Ring);
        assert_eq!(
            selection.choose::<allreduce::Algorithm>(&ordered),
            allreduce::Algorithm::ReduceBcast
        );
        let told = selection.explain("allreduce", &ordered).unwrap();
        assert_eq!((told[0].algorithm, told[0].verdict), ("ring", Verdict::Unfit));
        assert_eq!(
            (told[1].verdict, told[1].origin),
            (Verdict::Decides, Origin::Table { line: 1 })
        );
    }

    #[test]
    fn an_explanation_names_one_decider_which_is_the_choice_for_every_operation() {
        let selection = Selection::default();
        for operation in OPERATIONS {
            for bytes in [0, 1 << 10, 1 << 16, 1 << 24] {
                let params =
                    Params { shape: CallTraits::plain(12).on_nodes(3), bytes_per_rank: bytes };
                let told = selection.explain(operation, &params).unwrap();
                let deciders = told.iter().filter(|c| c.verdict == Verdict::Decides);
                assert_eq!(deciders.count(), 1, "{operation} {bytes}");
                let first = told.iter().find(|c| c.verdict != Verdict::NotCovered).unwrap();
                assert!(matches!(first.verdict, Verdict::Decides | Verdict::Unfit));
            }
        }
        assert!(selection.explain("allredcue", &params(2, 8)).is_none());
    }

    #[test]
    fn a_choice_is_kept_for_the_same_question_about_the_same_operation_alone() {
        let (choices, asked) = (LastChoices::default(), Cell::new(0));
        let choose = |bytes_per_rank, algorithm: bcast::Algorithm| {
            let question = Asked { bytes_per_rank, published: 8, commutative: true };
            choices.get(question, || {
                asked.set(asked.get() + 1);
                algorithm
            })
        };
        let (first, second) = (bcast::Algorithm::Binomial, bcast::Algorithm::ScatterAllgather);
        assert_eq!((choose(8, first), choose(8, second), asked.get()), (first, first, 1));
        assert_eq!((choose(9, second), choose(8, second), asked.get()), (second, second, 3));
        let other = Asked { bytes_per_rank: 8, published: 8, commutative: true };
        let ring = choices.get(other, || allreduce::Algorithm::Ring);
        assert_eq!((ring, choose(8, first)), (allreduce::Algorithm::Ring, second));
    }

    #[test]
    fn places_count_within_each_origin() {
        let text = "[[allreduce]]\nalgorithm = 'ring'\n[[allreduce]]\nalgorithm = 'ring'\n";
        let selection = Selection::new("", table(text)).unwrap();
        let told = selection.explain("allreduce", &params(2, 8)).unwrap();
        let layout: Vec<usize> = told.iter().take(3).map(|c| c.place).collect();
        assert_eq!(layout, [1, 2, 1]);
        assert_eq!(told[1].origin, Origin::Table { line: 3 });
    }

    #[test]
    fn operations_are_listed_in_alphabetical_order() {
        assert!(OPERATIONS.is_sorted());
    }
}
