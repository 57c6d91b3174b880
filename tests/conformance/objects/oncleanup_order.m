% oracle: MATLAB clears variables in the order they were made; Octave when the workspace goes
function work()
    a = onCleanup(@() disp('a'));
    b = onCleanup(@() disp('b'));
    disp('body')
end
function fails()
    c = onCleanup(@() disp('cleaned'));
    error('my:id', 'went wrong');
end
work()
try, fails(), catch e, disp(e.identifier), end
d = onCleanup(@() disp('cleared'));
clear d
disp('end')
