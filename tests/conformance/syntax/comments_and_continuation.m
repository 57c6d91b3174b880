x = [1, 2, ... comment
     3]; % trailing
disp(x); # octave comment
%{
block comment
disp('hidden')
%}
y = 1 + ...
    2;
disp(y); if x(1) == 1 ... c
  disp('cont'); end
z = {'a', ... 
 'b'}; disp(numel(z)); s = 'it''s % not a comment'; disp(s); d = "dq # no"; disp(d);
