    var before${q} = identity_${q}();
    for (var tile = 0u; tile < reduced; tile = tile + ${tile}u) {
        for (var k = place; k < ${tile}u; k = k + ${team}u) {
            var here = identity_${q}();
            if (tile + k < last) { here = element_${q}(j, tile + k); }
            held_${q}[row * ${tile}u + k] = here;
        }
        workgroupBarrier();
        let mine = row * ${tile}u + place * ${own}u;
        var total = held_${q}[mine];
        for (var k = 1u; k < ${own}u; k = k + 1u) {
            total = merge_${q}(total, held_${q}[mine + k]);
            held_${q}[mine + k] = total;
        }
        tree_${q}[slot] = total;
        workgroupBarrier();
        for (var s = 1u; s < ${team}u; s = s << 1u) {
            var sum = tree_${q}[slot];
            if (place >= s) { sum = merge_${q}(tree_${q}[slot - s], sum); }
            workgroupBarrier();
            tree_${q}[slot] = sum;
            workgroupBarrier();
        }
        for (var k = place; k < ${tile}u && tile + k < last; k = k + ${team}u) {
            var left_of = before${q};
            let lane_of = k / ${own}u;
            if (lane_of > 0u) {
                left_of = merge_${q}(before${q}, tree_${q}[slot - place + lane_of - 1u]);
            }
            let value = merge_${q}(left_of, held_${q}[row * ${tile}u + k]);
            finish_${q}(place_of_${q}(j, tile + k), value);
        }
        before${q} = merge_${q}(before${q}, tree_${q}[slot - place + ${end}u]);
        storageBarrier();
        workgroupBarrier();
    }
