    for (; r${q} + ${three}u < last; r${q} = r${q} + ${four}u) {
        let a = element_${q}(j, r${q}); let b = element_${q}(j, r${q} + ${team}u);
        let c = element_${q}(j, r${q} + ${two}u); let d = element_${q}(j, r${q} + ${three}u);
        total${q} = merge_${q}(total${q}, merge_${q}(merge_${q}(a, b), merge_${q}(c, d)));
    }
