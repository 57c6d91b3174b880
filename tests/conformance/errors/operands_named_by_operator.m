% dialect: matlab
% oracle: Octave words these errors otherwise
function said(f), try, f(), catch e, disp(e.message), end, end
said(@() "a" * 2); said(@() {1} * 2); said(@() 2 * {1}); said(@() {1} / 2); said(@() struct() * 3); said(@() {1} .* 2);
f = @() disp(1); said(@() numel(f())); said(@() "a" / "b");
c = compose(['r%02d'; 'q%02d'], [1; 2])
[a, n, e] = sscanf('1 2 x', '%d');
disp(e), disp(jsonencode({datetime(2020, 1, 2), categorical({'x'}), seconds(3)}))
