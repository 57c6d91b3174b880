% dialect: matlab
% oracle: Octave needs the folder of classes on the path at start
addpath('support'), exist('checked', 'file'), p = which('checked'); disp(p(end-8:end))
rmpath('support'), exist('checked', 'file'), try, checked(1), catch e, disp(e.identifier), end
addpath(fullfile(pwd, 'support'), '-end'); isempty(strfind(path, 'support')), x = exist('Length')
