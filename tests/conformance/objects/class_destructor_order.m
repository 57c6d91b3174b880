% oracle: classes
addpath('support'); n = Node(1); k = n; clear n; disp('still'); clear k; disp('gone');
