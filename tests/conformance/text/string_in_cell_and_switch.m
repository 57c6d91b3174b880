% oracle: Octave has no string class
% dialect: matlab
c = {"a", 'b', 3}
switch "on", case {'off', 'on'}, disp('matched'); end
for s = ["p" "q"], disp(s); end
