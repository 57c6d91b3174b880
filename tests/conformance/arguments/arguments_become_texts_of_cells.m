% dialect: matlab
% oracle: Octave ignores the classes of arguments
names({'a', 'b'}), names({1, 'c'}), kinds({'u'; 'v'}), dates({'2024-01-05', '2024-02-01'})
try, numbers({1, 2}), catch e, disp(e.message), end
try, names({@sin}), catch e, disp(e.message), end
function names(x), arguments, x string, end, disp(x), end
function kinds(x), arguments, x categorical, end, disp(x), end
function dates(x), arguments, x datetime, end, disp(year(x)), end
function numbers(x), arguments, x double, end, disp(x), end
