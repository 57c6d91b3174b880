function draw_samples(y, heading)
% A response in discrete time as steps: a row of y for each sample, a column for each output.
stairs(0:size(y, 1) - 1, y), title(heading), xlabel('No. of Samples'), ylabel('Amplitude')
end
