function calls_by_name(name)
disp(feval(name, 21))
end
