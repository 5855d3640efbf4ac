create table orders (id varchar(40) primary key, quantity int not null);
