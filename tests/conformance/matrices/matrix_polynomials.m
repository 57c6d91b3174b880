polyfit(1:3, [2 4 6], 1)(1) - 2 < 1e-9, polyval([1 2 3], 2), roots([1 -3 2]), conv([1 2], [1 3]), [q, r] = deconv([1 5 6], [1 2]), polyder([1 2 3]), polyint([2 2])
