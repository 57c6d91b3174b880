eval('x = 5;'); disp(x); y = eval('x + 1'); disp(y); eval('z = 2'); eval('error(''no'')', 'disp(''caught'')');
