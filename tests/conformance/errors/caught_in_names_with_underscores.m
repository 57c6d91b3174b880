try, error('one'); catch __e, disp(__e.message); end
try, error('two'); catch _, disp(_.message); end
try, error('three')
catch __e
  disp(__e.message)
end
