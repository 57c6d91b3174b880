a.b{2}.c(3).d = 'x'; a.b{2}.c(3).d(4) = 'y'; size(a.b), size(a.b{2}.c), double(a.b{2}.c(3).d), a.b{1} = [1 2 3]; a.b{1}(2) = []; a.b{1}
