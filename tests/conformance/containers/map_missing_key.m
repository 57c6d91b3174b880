% oracle: removing a key that is not there is an error
m = containers.Map({'a'}, {1}); try, m('zz'), catch e, disp('no key'), end
try, remove(m, 'zz'); catch, disp('nothing to remove'), end
