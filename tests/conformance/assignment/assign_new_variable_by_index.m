clear q; q(2, 3) = 1
clear w; w{2} = 'a'; size(w)
clear t; t.x(3) = 5; t.x
