x = 7; switch true, case x < 5, disp('small'); case x < 10, disp('medium'); otherwise, disp('large'); end
switch mod(x, 3), case 0, disp(0); case 1, disp('rest 1'); end
