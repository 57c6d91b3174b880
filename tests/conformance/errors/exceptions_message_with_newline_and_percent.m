try, error('Line1\nLine2 %s', 'x'); catch e, disp(e.message); end
try, error('a:b', '%d%%', 50); catch e, disp(e.message); end
