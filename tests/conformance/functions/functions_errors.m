1;
function r = f(a), r = a; end
function r = noset(a), if a, r = 1; end, end
function nothing(), end
try, f(1,2); catch, disp('too many in'); end
try, [a,b] = f(1); catch, disp('too many out'); end
try, f(); catch, disp('missing'); end
try, x = noset(0); catch, disp('unset'); end
try, x = nothing(); catch, disp('no value'); end
try, undefined_fn(3); catch, disp('undefined'); end
noset(0); disp('fine');
