% oracle: outside is NaN
interp1([1 2 3], [10 20 30], 2.5), interp1([1 2 3], [10 20 30], [0 1.5]), trapz([1 2 3]), cumtrapz([1 2 3]), interp1([1 2 3], [10 20 30], 5, 'linear', 'extrap')
