//! Nested rows in the order in which a tree is read.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use cardfold::NestedRow;

/// The rows with each agent's own rows right below it, and the level of each, 0 at the outermost. A card lists its
/// rows in the order of their dispatches, which mixes branches.
pub(crate) fn preorder(rows: &[NestedRow]) -> impl Iterator<Item = (usize, &NestedRow)> {
    let ids: BTreeSet<&str> = rows.iter().filter_map(|row| row.dispatch_id.as_deref()).collect();
    let mut own_rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut outermost = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        match row.parent_id.as_deref().filter(|id| ids.contains(id)) {
            Some(id) => own_rows.entry(id).or_default().push(place),
            None => outermost.push(place),
        }
    }
    let mut order = Vec::with_capacity(rows.len());
    let mut listed = vec![false; rows.len()];
    // After the outermost rows every row has its turn, so that none is lost if some were each other's parents.
    for start in outermost.into_iter().chain(0..rows.len()) {
        let mut open = vec![(0, start)];
        while let Some((level, place)) = open.pop() {
            if mem::replace(&mut listed[place], true) {
                continue;
            }
            order.push((level, &rows[place]));
            let below = rows[place].dispatch_id.as_deref().and_then(|id| own_rows.get(id));
            open.extend(below.into_iter().flatten().rev().map(|&row| (level + 1, row)));
        }
    }
    order.into_iter()
}
