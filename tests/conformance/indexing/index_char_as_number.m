v = 1:200;
disp(v('a'));
s = 'hello';
disp(s([1 end]));
