-- Orders of the last day, by country.
select country, count(*) as orders, sum(total) as revenue
from orders
where placed_at >= now() - interval '1 day'
group by country
order by revenue desc;
