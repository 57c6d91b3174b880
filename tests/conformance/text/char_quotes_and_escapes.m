'it''s'
disp('a\nb');
fprintf('a\tb\\n\n');
sprintf('%%')
