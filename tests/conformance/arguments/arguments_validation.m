% oracle: Octave ignores arguments blocks
% dialect: matlab
addpath('support'); disp(checked(1)); disp(checked(2, [4 5])); disp(checked(2, [4; 5])); disp(checked(1, 1, 'Scale', 3)); disp(checked(1, 1, Name = 'n', Scale = 2)); try, checked(-1); catch e, disp(e.message); end, try, checked([1 2]); catch e, disp(e.message); end, try, checked(); catch e, disp(e.message); end, try, checked(1, 1, 'Nope', 3); catch e, disp('bad name'); end, disp(repeating(10, 1, 2, 3)); disp(repeating(10)); disp(checked('a'));
