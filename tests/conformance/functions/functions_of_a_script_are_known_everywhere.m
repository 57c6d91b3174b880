addpath('support'), defines_functions
disp(feval('doubled_there', 4)), disp(cellfun(@doubled_there, {1, 2})), calls_by_name('doubled_there')
