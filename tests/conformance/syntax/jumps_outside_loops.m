% oracle: Octave refuses the whole file; MATLAB documents break only inside loops
% A jump without a loop is an error where it is met, not before.
disp('before')
for k = 1:3
    if k == 2, continue, end
    disp(k)
end
try
    if true
        break
    end
catch problem
    disp(problem.message)
end
disp('after')
