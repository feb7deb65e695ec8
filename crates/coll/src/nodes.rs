//! Which ranks share a node, for algorithms in two levels.

/// The nodes of a group of ranks. Nodes are numbered in the order of their lowest ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// The node of every rank.
    node_of: Vec<usize>,
    /// The ranks of every node, in order.
    members: Vec<Vec<usize>>,
}

impl Nodes {
    /// All of `ranks` ranks on one node.
    pub fn one(ranks: usize) -> Nodes {
        Nodes { node_of: vec![0; ranks], members: vec![(0..ranks).collect()] }
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
        Nodes { node_of, members }
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// The node of `rank`.
    pub fn node_of(&self, rank: usize) -> usize {
        self.node_of[rank]
    }

    /// The ranks of `node`, in order.
    pub fn members(&self, node: usize) -> &[usize] {
        &self.members[node]
    }

    /// The index of `rank` among the members of its node.
    pub fn local_rank_of(&self, rank: usize) -> usize {
        self.members(self.node_of(rank)).partition_point(|&member| member < rank)
    }

    /// One rank of every node, the lowest, but for the node of `root`, which `root` leads.
    pub fn leaders(&self, root: usize) -> Vec<usize> {
        let mut leaders: Vec<usize> = self.members.iter().map(|ranks| ranks[0]).collect();
        leaders[self.node_of(root)] = root;
        leaders
    }

    /// Number of ranks of the smallest node.
    pub fn smallest(&self) -> usize {
        self.members.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// Every rank, node by node.
    pub fn by_node(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().flatten().copied()
    }

    /// The place of `rank` in that order.
    pub fn place_of(&self, rank: usize) -> usize {
        let before: usize = self.members[..self.node_of(rank)].iter().map(Vec::len).sum();
        before + self.local_rank_of(rank)
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
        let order: Vec<usize> = nodes.by_node().collect();
        assert_eq!(order, [0, 2, 1, 4, 3]);
        assert!(order.iter().enumerate().all(|(place, &rank)| nodes.place_of(rank) == place));
        assert_eq!(nodes.smallest(), 1);
        assert!(!nodes.in_order());
        assert!(Nodes::from_labels(&[7, 7, 3]).in_order());
        assert_eq!(Nodes::from_labels(&[1, 1]), Nodes::one(2));
    }
}
