function r = checked(a, b, opts)
  arguments
    a (1,1) double {mustBePositive}
    b (1,:) double = [1 2 3]
    opts.Scale (1,1) double = 1
    opts.Name char = 'default'
  end
  r = sprintf('%g %s %g %s', a, mat2str(b), opts.Scale, opts.Name);
end
