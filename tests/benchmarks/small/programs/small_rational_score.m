function r = small_rational_score()
students = struct('name', {'ann', 'bob', 'cid'}, 'marks', {[80 90 70], [60 75], [88 92 79 95]});
for k = 1:numel(students)
    students(k).mean = mean(students(k).marks); students(k).best = max(students(k).marks);
    if students(k).mean >= 85, students(k).grade = 'A'; elseif students(k).mean >= 75, students(k).grade = 'B'; else, students(k).grade = 'C'; end
end
[~, order] = sort([students.mean], 'descend'); students = students(order); r = '';
for s = students, r = [r sprintf('%s:%s(%.1f,%d) ', s.name, s.grade, s.mean, s.best)]; end
end
