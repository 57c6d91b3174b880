% oracle: MATLAB lists the property.
c = onCleanup(@() disp('bye'))
disp(func2str(c.task))
try, c.other, catch e, disp(class(e)), end
clear c
