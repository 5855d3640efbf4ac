SELECT ${nonsense};
