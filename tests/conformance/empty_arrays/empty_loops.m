for k = [], disp('never'), end
for k = zeros(0, 3), disp('columns'), end
for k = {}, disp('never'), end
disp(size(k));
