disp(1:5); disp(1:2:8); disp(5:-1:1); disp(size(5:1)); disp(0:0.25:1); disp(numel(0:0.1:1)); x = 3; disp(x:x+2);
disp(isempty(1:0)); disp(size(1:0)); disp(1:1); disp(-2:2); disp((1:3)'); disp(numel(1:0.3:2)); disp(10:-3:0);
