v = int8([1 2]); v([1 2]) = []; class(v), size(v), s = 'ab'; s([1 2]) = []; class(s), size(s), b = true; b(1) = []; class(b)
