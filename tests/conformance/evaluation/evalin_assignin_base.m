function poke(), assignin('caller', 'made', 7); assignin('base', 'made_base', 8); v = evalin('caller', 'local_value'); disp(v), end
function middle(), local_value = 'seen'; poke(); disp(made), disp(exist('made_base', 'var')), end
middle(), disp(made_base)
try, evalin('base', 'no_such_name'), catch e, disp('failed'), end
x = evalin('base', '1 + 1')
