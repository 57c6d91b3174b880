% oracle: Octave ignores arguments blocks
% dialect: matlab
try, f(-1), catch e, disp(e.message), end
try, f(1, "zzz"), catch e, disp('not a member'), end
f(2, "on");
function f(x, mode)
arguments
    x {mustBePositive}
    mode {mustBeMember(mode, ["on", "off"])} = "off"
end
disp(x + strlength(mode));
end
