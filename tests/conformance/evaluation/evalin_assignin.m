1;
function f(), assignin('caller', 'newvar', 11); end
function g(), x = evalin('caller', 'local'); disp(x); end
function h(), local = 5; g(); assignin('base', 'fromh', 6); end
f(); disp(newvar); h(); disp(fromh); function r = k(), eval('q = 3;'); r = q + 1; end
disp(k()); function m(), a = 1; eval('a = a + 1;'); disp(a); end
m();
