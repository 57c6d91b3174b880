x = 1; % one
y = 2; # two
%{
 block
 %{
 nested
 %}
%}
#{
 octave block
#}
z = [1, 2, % in matrix
     3, 4]; disp(z); if x == 1 % cond
  disp('a'); % b
end % end
s = 'percent % inside'; disp(s); t = {'a', ... trailing
'b'}; disp(numel(t)); % last
disp(x + ... 
 y); ## done
