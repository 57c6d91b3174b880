% oracle: MATLAB's texts
m = containers.Map({'a'}, {1}); try, m('zz'), catch e, disp(e.identifier), disp(e.message), end
