addpath('support'); script_input = 21; ascript; disp(script_result); disp(script_extra); function r = runs(), script_input = 5; ascript; r = script_result; end
disp(runs()); disp(script_result);
