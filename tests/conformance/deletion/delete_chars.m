s = 'hello world';
s(s == 'o') = []
s(end) = []
