//! Which ranks share a node, for algorithms in two levels.

/// The nodes of a group of ranks. Nodes are numbered in the order of their lowest ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The node of every rank.
    node_of: Vec<usize>,
    /// Every rank, node by node.
    by_node: Vec<usize>,
    /// Where there each node begins, and where the last one ends.
    begins: Vec<usize>,
}

impl Nodes {
    /// All of `ranks` ranks on one node.
    pub fn one(ranks: usize) -> Nodes {
        Nodes { node_of: vec![0; ranks], by_node: (0..ranks).collect(), begins: vec![0, ranks] }
    }

    /// From a label for every rank, which ranks of one node share.
    pub fn from_labels<L: PartialEq>(labels: &[L]) -> Nodes {
        let (mut node_of, mut members) = (Vec::new(), Vec::<Vec<usize>>::new());
        for (rank, label) in labels.iter().enumerate() {
            let known = members.iter().position(|ranks| labels[ranks[0]] == *label);
            let node = known.unwrap_or_else(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[node].push(rank);
            node_of.push(node);
        }
        let begins = members.iter().scan(0, |end, ranks| {
            *end += ranks.len();
            Some(*end)
        });
        let begins = std::iter::once(0).chain(begins).collect();
        Nodes { node_of, by_node: members.concat(), begins }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.begins.len() - 1
    }

    /// The node of `rank`.
    pub fn node_of(&self, rank: usize) -> usize {
        self.node_of[rank]
    }

    /// The ranks of `node`, in order.
    pub fn members(&self, node: usize) -> &[usize] {
        &self.by_node[self.begins[node]..self.begins[node + 1]]
    }

    /// The index of `rank` among the members of its node.
    pub fn local_rank_of(&self, rank: usize) -> usize {
        self.members(self.node_of(rank)).partition_point(|&member| member < rank)
    }

    /// One rank of every node, the lowest, but for the node of `root`, which `root` leads.
    pub fn leaders(&self, root: usize) -> Vec<usize> {
        let firsts = self.begins[..self.count()].iter();
        let mut leaders: Vec<usize> = firsts.map(|&first| self.by_node[first]).collect();
        leaders[self.node_of(root)] = root;
        leaders
    }

    /// Number of ranks of the smallest node.
    pub fn smallest(&self) -> usize {
        self.begins.windows(2).map(|node| node[1] - node[0]).min().unwrap_or(0)
    }

    /// Every rank, node by node.
    pub fn by_node(&self) -> &[usize] {
        &self.by_node
    }

    /// The place of `rank` in that order.
    pub fn place_of(&self, rank: usize) -> usize {
        self.begins[self.node_of(rank)] + self.local_rank_of(rank)
    }

    /// Whether the ranks of every node are consecutive.
    pub fn in_order(&self) -> bool {
        self.node_of.is_sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_nodes_in_the_order_of_their_lowest_ranks() {
        let nodes = Nodes::from_labels(&["b", "a", "b", "c", "a"]);
        assert_eq!(nodes.count(), 3);
        assert_eq!(nodes.members(0), [0, 2]);
        assert_eq!((nodes.node_of(4), nodes.local_rank_of(4)), (1, 1));
        assert_eq!(nodes.leaders(4), [0, 4, 3]);
        assert_eq!(nodes.by_node(), [0, 2, 1, 4, 3]);
        assert!(
            nodes.by_node().iter().enumerate().all(|(place, &rank)| nodes.place_of(rank) == place)
        );
        assert_eq!(nodes.smallest(), 1);
        assert!(!nodes.in_order());
        assert!(Nodes::from_labels(&[7, 7, 3]).in_order());
        assert_eq!(Nodes::from_labels(&[1, 1]), Nodes::one(2));
    }
}
