validateattributes(5, {'numeric'}, {'positive'}); try, validateattributes(-5, {'numeric'}, {'positive'}); catch, disp('not positive'), end
disp(validatestring('app', {'apple', 'pear'})); try, validatestring('q', {'apple', 'pear'}); catch, disp('no match'), end
