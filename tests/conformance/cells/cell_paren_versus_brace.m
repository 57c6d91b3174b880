c = {1, 'a', 3}; class(c(1)), class(c{1}), c(2) = {5}; disp(c{2}); c(1:2) = {7}; disp([c{:}]);
