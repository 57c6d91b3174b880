p = inputParser; p.addRequired('n', @isnumeric); p.addParameter('m', 1, @(x) x > 0);
try, p.parse('a'); catch, disp('required fails'), end
try, p.parse(1, 'm', -1); catch, disp('parameter fails'), end
p.KeepUnmatched = true; p.parse(1, 'other', 3); disp(p.Unmatched.other);
