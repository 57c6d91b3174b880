% dialect: matlab
% oracle: MATLAB's layout; only one text alone goes on in further lines
two = sprintf('first\nsecond')
alone = "a" + newline + "bc"
row = ["a" + newline, "tab" + char(9) + "b"]
c = {two; 'short'}
s.text = two;
s.word = alone;
s.list = row
t = table({two; 'x'}, [alone; "y"])
disp(two), disp(alone), disp(row), disp(c)
m = ['ab'; ['c' newline]]
