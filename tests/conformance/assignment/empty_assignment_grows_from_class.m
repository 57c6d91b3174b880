x = zeros(0, 3); x(end + 1, :) = [1 2 3]; disp(x); y = ''; y(end + 1) = 'a'; class(y), z = {}; z{end + 1} = 1; class(z), w = []; w(end + 1).a = 5; class(w)
